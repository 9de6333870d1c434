package githubtest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// kept is how long GitHub remembers deliveries; an Enterprise Server keeps them
// for 7 days.
const kept = 3 * 24 * time.Hour

// listDeliveries lists the attempts that are still remembered, newest first. Its
// pages are led to by a cursor.
func listDeliveries(c *call) reply {
	all := slices.Clone(c.s.deliveries)
	slices.Reverse(all)
	cursor, _ := strconv.ParseInt(c.query("cursor"), 10, 64)
	all = slices.DeleteFunc(all, func(d *Delivery) bool {
		return c.s.now().Sub(d.At) > kept || (cursor != 0 && d.ID > cursor) ||
			(c.query("status") == "failure" && d.OK()) || (c.query("status") == "success" && !d.OK())
	})
	rep := reply{status: http.StatusOK, header: http.Header{}}
	if size := min(positive(c.query("per_page"), 30), 100); len(all) > size {
		next := url.Values{"cursor": {strconv.FormatInt(all[size].ID, 10)}, "per_page": {strconv.Itoa(size)}}
		if status := c.query("status"); status != "" {
			next.Set("status", status)
		}
		rep.header.Set("Link", fmt.Sprintf(`<%s/app/hook/deliveries?%s>; rel="next"`, c.s.api, next.Encode()))
		all = all[:size]
	}
	rep.body = each(all, deliveryObject)
	return rep
}

func getDelivery(c *call) reply {
	d := c.delivery()
	if d == nil {
		return notFound()
	}
	o := deliveryObject(d)
	o["url"] = ""
	o["request"] = object{"headers": flat(d.Request), "payload": rawJSON(d.Payload)}
	o["response"] = object{"headers": flat(d.Header), "payload": string(d.Body)}
	return ok(o)
}

// redeliver hands the event over again before it answers; GitHub does so some
// time after.
func redeliver(c *call) reply {
	d := c.delivery()
	if d == nil {
		return notFound()
	}
	return reply{status: http.StatusAccepted, body: object{}, unlocked: func() {
		_, _ = c.s.Redeliver(context.WithoutCancel(c.Context()), d.GUID) // its outcome is in the list
	}}
}

func (c *call) delivery() *Delivery {
	id, _ := strconv.ParseInt(c.PathValue("delivery_id"), 10, 64)
	for _, d := range c.s.deliveries {
		if d.ID == id && c.s.now().Sub(d.At) <= kept {
			return d
		}
	}
	return nil
}

func deliveryObject(d *Delivery) object {
	orNull := func(id int64) any {
		if id == 0 {
			return nil
		}
		return id
	}
	return object{
		"id":              d.ID,
		"guid":            d.GUID,
		"delivered_at":    stamp(d.At),
		"redelivery":      d.Redelivery,
		"duration":        d.Duration.Seconds(),
		"status":          d.status(),
		"status_code":     d.StatusCode,
		"event":           d.Event,
		"action":          stringOrNull(d.Action),
		"installation_id": orNull(d.installation),
		"repository_id":   orNull(d.repository),
		"throttled_at":    nil,
	}
}

func flat(h http.Header) object {
	o := object{}
	for k := range h {
		o[k] = h.Get(k)
	}
	return o
}
