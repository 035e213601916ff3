// A run without any page: its conversation stands where the page would be. dist/talk.js, in files of such runs alone.

export { Conversation } from "./conversation.tsx";
