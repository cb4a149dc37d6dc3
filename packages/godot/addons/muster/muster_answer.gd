class_name MusterAnswer
extends RefCounted
## What came of a call.

## Whether the service did what was asked.
var ok := false
## HTTP status; 0 if no answer came.
var status := 0
## Why not: the code of the service, NETWORK if no answer came, CLOSED if the node has left the tree.
var code := "NETWORK"
## The same in words, for people.
var detail := ""
## Seconds to wait before asking again; 0 if the service does not say.
var retry_after := 0.0
## What came, as JSON: usually a Dictionary.
var body: Variant = null


## Whether the same call may succeed later.
func may_pass() -> bool:
	return not ok and code != "CLOSED" and (status == 0 or status >= 500 or status in [408, 429])
