// A table's headers become buttons that sort its rows; without this script it is read as it stands.
for (const table of document.querySelectorAll("table.pairs")) {
  const body = table.tBodies[0];
  for (const th of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = th.textContent;
    th.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = th.getAttribute("aria-sort") === "descending";
      const key = row => row.cells[th.cellIndex].dataset.key ?? row.cells[th.cellIndex].textContent.trim();
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      th.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...body.rows].sort((a, b) => key(a).localeCompare(key(b), "en", {numeric: true}));
      body.append(...(up ? rows : rows.reverse()));
    });
  }
}
