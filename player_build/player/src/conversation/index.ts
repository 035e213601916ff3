// A run without any page: its conversation stands where the page would be. dist/conversation.js, in files of such runs alone.

export { Conversation } from "./conversation.tsx";
