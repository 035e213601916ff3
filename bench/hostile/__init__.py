"""bench/hostile: whether payloads from public XSS lists, recorded on live pages, stay without effect in the player.

    python -m bench.hostile --lists FOLDER [--limit N]

FOLDER holds lists as their projects publish them (they are read, and never part of this repository): `expect.mjs` of DOMPurify's tests,
`items.js` of H5SC, and text files with one payload a line. Each payload is placed in three ways into a page that is recorded: in the markup
that the server sends, as the value of attributes of elements to which it could be of use, and by `innerHTML` when the page stands. Everything
that can be clicked is clicked. On the live page, dialogs, messages and requests to other hosts are counted. In the replay of the recording (built
raw, offline, with all that can be clicked clicked again) none of them may occur, and the player's own controls must stay on top.
"""
