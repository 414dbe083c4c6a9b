package dev.pinion.core.http;

/** What a connection of a client does: one request at a time. */
enum ConnectionPhase {
  IDLE,
  HEAD,
  BODY,
  ANSWERING,
  CLOSING
}
