package similarity

import "strings"

// The tables below are the only knowledge of English in this package. They are fixed, short and
// general: grammar, and the vocabulary that every software project shares. Nothing in them names a
// project's own subject, and a sentence in a language they do not know is compared by its tokens.

// functionWords carry grammar, not subject, and weigh nothing in the default measure; another word of
// the same stem, or one in code, is general.
var (
	functionWords = set(functionList)
	functionStems = stemmed(functionList)
)

const functionList = `
	a an and any are as at be because been before after being both but by can cannot could did do does
	done each either else ever every for from get gets got had has have having he her here his how however
	i if in into is it its itself just last least let like lot made make makes making many may maybe me
	might more most much must need needs needed never no nobody none not now of off often on once one only
	onto or other others otherwise our out over own per please prefer rather require required requires same
	shall she should since so some somebody someone something such than that the their them themselves then
	there these they thing things this those through thus till to together too toward towards under unless
	until up upon us very via was we well were what whatever when whenever where whether which while who
	whoever whom whose why will with within without would yet you your s t re ve ll d always also all
	another again ahead instead first whatever doing goes go going away back even still everyone everything
	anyone anything already almost during ensure sure become becomes happen happens happened`

// generalWords are the shared vocabulary of software: they weigh half of a word that names a subject.
var generalWords = stemmed(`
	use run test code file new old change error check call set add value name type work fail time line id
	data case version function method class path user review team build command script issue return read
	write start keep request server client service package project commit update list field number default
	config option page object string message result step way part place day week month hour minute second
	support find show give take put look go see try handle follow happen cause wrong right good bad correct ask prefer please change`)

// folded maps the stem of a word to the stem that stands for it: irregular forms to their verb,
// abbreviations to the word, spellings and everyday synonyms to one of them.
var folded = folds(`
	break broke broken; build built; choose chose chosen; find found; forget forgot forgotten; freeze froze frozen
	give gave given; hide hid hidden; hold held; keep kept; know knew known; leave left; lose lost; overwrite overwrote overwritten
	run ran; see saw seen; send sent; take took taken; throw threw thrown; write wrote written; wake woke woken
	feed fed; bind bound; catch caught; draw drew drawn; drive drove driven; spend spent; tell told; think thought
	fail failure failing; convert conversion; notify notification; depend dependency dep deps; decide decision; lock locked
	configure config configuration; document docs doc documentation; directory dir folder; repository repo; environment env
	parameter param argument arg; database db; application app; production prod; developer dev; variable var; message msg
	function func; kubernetes k8s; javascript js; implementation impl; information info; performance perf; authentication auth
	remove delete strip trim erase; create add introduce; execute run; call invoke; check verify validate assert confirm
	return answer respond; save store persist; fetch load retrieve; refresh regenerate update renew; clean sanitize scrub
	begin start; finish complete conclude; choose pick select; immediate immediately; repair fix correct; permit allow; refuse reject
	show display; consent approval; reuse recycle; obtain acquire; simultaneous concurrent parallel; previous old
	color colour; behavior behaviour; license licence; center centre; catalog catalogue; artifact artefact
	2 two; 3 three; 4 four; 5 five; 6 six; 7 seven; 8 eight; 9 nine; 10 ten; 12 twelve`)

// antonyms are pairs of which a sentence demands one and its opposite the other.
var antonyms = pairs(`
	enable disable; allow forbid; allow deny; permit deny; increase decrease; raise lower; raise reduce; increase reduce
	more less; more fewer; most least; maximum minimum; high low; large small; big small; long short; early late; start stop; open close
	begin end; add remove; include exclude; show hide; lock unlock; mount unmount; sync async; synchronous asynchronous
	public private; absolute relative; strict loose; strict lenient; local remote; online offline; mutable immutable
	static dynamic; eager lazy; internal external; global local; optional mandatory; on off; inside outside; above below
	upper lower; ascending descending; first last; before after; accept reject; encrypt decrypt; compress decompress
	attach detach; subscribe unsubscribe; register unregister; eager deferred; shared separate; inline extract; squash preserve
	merge rebase; hold release; acquire release; inclusive exclusive; equal unequal; same different; before afterwards; block permit; leave enter;
	immediate wait; immediate delay; immediate defer; immediate later; immediate debounce; immediate drain; raw clean; raw mask;
	verbatim clean; eager wait; single several; manual automatic; bundle split; join split; one several; daily monthly; daily weekly; blocking nonblocking; always never; keep remove; keep discard; upgrade downgrade; whitelist blacklist; serial concurrent`)

// imperatives are the verbs with which a demand commonly begins.
var imperatives = set(`
	abort accept access add adjust align allocate allow announce append apply approve ask assert assign attach avoid await
	back bind break build bump bundle call cancel capture cast catch choose clamp clean clear clone close coerce commit
	compare compile compose compress compute configure confirm convert cordon cover create cut debounce declare decode
	decrease defer define delete deploy derive describe disable discard do download drain drop embed emit enable encode
	encrypt enforce ensure escape estimate evaluate exclude execute exit expect expire explain expose extend extract fail
	feed fetch find fire fix flush fold follow fork forward freeze gather generate get give go grab grant guess halt
	handle have hide hold honor honour hop identify ignore implement include increase inform inherit initialise initialize
	inject inline insert inspect install instantiate interpolate interpret introduce invalidate invoke isolate iterate
	join keep key launch lazy leave lift lint listen locate lock lower make manage memoise merge migrate mind minify
	minimise mirror modify monitor mount move mutate mute mux narrow negotiate normalize notify observe obtain offer
	offload omit open opt optimise organise override overwrite own paginate parse partition pass paste perform persist
	pick ping populate prefer prefetch prefix preload prepare prepend present preserve prevent probe promote propagate
	protect provide proxy prune publish pull purge push put quantise quote raise reach read rearrange rebase rebuild
	receive reconcile recreate redact redirect reduce refactor refer refresh regenerate register reject relax relay
	release reload rely remove rename render repeat replace replay reproduce request require rerun reset resize resolve
	respect restart restore restrict resume retain rethrow retire retrieve retry reuse revert revoke rewrite roll rotate
	round sanitise sanitize save seal select send separate serialize serve set settle shard ship shorten show shrink shut
	silence simplify simulate skip slice spawn specify spell split spread squash stay stick stop store strengthen strip
	submit subscribe subtract suggest supply suppress suspend swap sweep sync take teach tear tell terminate throttle
	throw tie tighten toggle touch track transform translate transpose traverse treat trim truncate tune unify unlock
	unpack unset unwrap update upgrade upload upsert use validate vary vendor verify visit weigh widen wipe wrap write
	yield`)

// nouns are the imperatives that are as often a noun: after the first clause they begin a demand only
// before a determiner.
var nouns = set(`
	audit base batch block cap change check cluster copy default document end filter flag force format gate group guard
	hash import index label limit link list load log look map mark mask match measure mock model name note order output
	package pad patch pause pin pipe place plan poll pop post print process profile prompt query queue record report
	reserve return review route run sample scan schedule scope seed segment share sign sleep sort stage start stream stub
	style suffix support switch tag target test trace trigger trust try turn wait warn watch wire`)

// modals mark a clause that demands something whatever its first word is.
var modals = set(`must should shall always never avoid need needs ought prefer prefers belong belongs required`)

// subjects are pronouns that do what the word after them says.
var subjects = set(`someone somebody everyone everybody nobody we they it he she i you who that`)

// units measure; an amount in another unit is another amount.
var units = stemmed(`ms millisecond second sec minute min hour day week month quarter year byte kb mb gb kib mib gib percent px
	pixel cent euro dollar metre meter centimetre centimeter millimetre feet foot inch degree gram kilogram`)

// negators begin the part of a clause that is ruled out.
var negators = set(`not never no without avoid cannot nor neither nobody none forbid forbidden refrain
	whatever whichever regardless irrespective`)

// foreignNegators negate in German, French, Spanish, Portuguese, Italian, Dutch and Russian;
// unspacedNegators in Chinese, Japanese, Korean and Thai. Words that English also has are left out.
var (
	foreignNegators  = set(`nicht kein keine keinen niemals nie ohne ne pas jamais nunca ningún não sem mai senza niet geen nooit не никогда без нельзя`)
	unspacedNegators = strings.Fields(`不 没 勿 禁止 ない ません なし 않 마세요 말고 금지 ไม่ ห้าม อย่า`)
)

// refusals are verbs that rule out their object when a demand begins with them.
var refusals = set(`skip omit drop disable ban refuse ignore`)

// lacks say in a story that what follows was missing, so the lesson demands it.
var lacks = set(`no without never nobody not lacked lacks lacking lack missing missed forgot forgotten empty omitted absent skipped`)

// pasts are forms that only tell what happened; with -ed forms they mark a story.
var pasts = set(`was were had did could went lost broke saw came kept left ran got hid fell held sent fed forgot overwrote
	wrote took gave made found led woke grew rose threw stole lacked bit shot slept stood sat spoke stuck sank swung shrank
	rang spun spent slid won tore drew flew drove dealt became began brought bought paid sold told hung knew cost`)

// harms are stems that say that something went wrong.
var harms = stemmed(`fail break crash leak flaky wrong lose stale hide reject refuse dead corrupt block hang deadlock drift collide
	expose exhaust evict duplicate miss overwrite clobber forge inject slow silent confuse kill panic race bug differ disagree
	stall skip mask swallow freeze vanish double waste ruin mislead disappear truncate inflate trip mix lie fight cost
	annoy misread flicker bloat clutter noisy starve overload halve outdated brittle fragile useless impossible unreadable
	unusable hard difficult expensive costly cumbersome tedious mess pollute spam unstable clash conflict overflow unknown
	unnecessary needless pointless superfluous redundant harmful obsolete overkill worse worst harm hurt suffer trouble brick wrongly twice`)

// determiners begin a statement and never a demand.
var determiners = set(`the a an our we someone somebody everyone everybody nobody they it its this that these those there he she my
	some many several most all any each every no one two three four five i you your their whoever`)

// openers stand before the verb of a demand.
var openers = set(`always never please also only just do not instead first then and to either simply again`)

// pointers are words of grammar whose exchange changes what a sentence is about.
var pointers = set(`for if go while until from to with without over under off out up down or`)

// oppose reports whether two stems are antonyms, by the table or by a prefix: pinned, unpinned.
func oppose(x, y string) bool {
	if antonyms[[2]string{x, y}] {
		return true
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	prefix, ok := strings.CutSuffix(y, x)
	return ok && len(x) >= 3 && denials[prefix]
}

// denials are the prefixes that turn a word into its opposite.
var denials = set(`un dis non de in im ir il a`)

func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

func stemmed(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[stem(w)] = true
	}
	return out
}

func folds(list string) map[string]string {
	out := map[string]string{}
	for _, group := range groups(list) {
		for _, w := range group[1:] {
			if s := rawStem(w); s != rawStem(group[0]) {
				out[s] = rawStem(group[0])
			}
		}
	}
	return out
}

func pairs(list string) map[[2]string]bool {
	out := map[[2]string]bool{}
	for _, group := range groups(list) {
		a, b := rawStem(group[0]), rawStem(group[1])
		out[[2]string{a, b}], out[[2]string{b, a}] = true, true
	}
	return out
}

func groups(list string) [][]string {
	var out [][]string
	for _, g := range strings.FieldsFunc(list, func(r rune) bool { return r == ';' || r == '\n' }) {
		if words := strings.Fields(g); len(words) > 1 {
			out = append(out, words)
		}
	}
	return out
}
