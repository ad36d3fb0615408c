// SPDX-License-Identifier: GPL-2.0-only

package model

// placeList holds ascending places as the distances between them, from 0. A
// distance of farAway leads on but to no place; who looks there for a pair does
// not find it, because a place that has it would be in the list. Half the
// memory of the places themselves is half the time to touch it.
type placeList []uint16

const farAway = 1<<16 - 1

// placeEnd is the end of a list that is being made.
type placeEnd struct {
	next int    // where in the slice the next distance goes, for put
	last uint32 // the last place
}

// put writes one more place of one of many lists in a slice.
func (e *placeEnd) put(list placeList, q uint32) {
	for q-e.last >= farAway {
		list[e.next] = farAway
		e.next++
		e.last += farAway
	}
	list[e.next] = uint16(q - e.last)
	e.next++
	e.last = q
}

// append adds a place to the one list.
func (e *placeEnd) append(list placeList, q uint32) placeList {
	for q-e.last >= farAway {
		list = append(list, farAway)
		e.last += farAway
	}
	list = append(list, uint16(q-e.last))
	e.last = q
	return list
}
