package dev.pinion.core.invoker.http;

/**
 * State of a connection to a service.
 *
 * <pre>
 *   CONNECTING ──▶ IDLE ──▶ BUSY ──────────────▶ ANSWERED ──▶ IDLE, when both sides keep it
 *        │          │         └──▶ COMPLETE ──────▶ │
 *        └──────────┴─────────┴───────┴─────────────┴──▶ CLOSED
 * </pre>
 */
enum ConnectionState {
  CONNECTING,
  IDLE,
  BUSY,
  COMPLETE,
  ANSWERED,
  CLOSED
}
