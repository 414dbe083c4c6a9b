/**
 * The yardstick: what one Netty event loop reaches that exchanges the same HTTP messages as the
 * engine, with no engine in between; and an echo server, which bounds what any of them can reach.
 *
 * <pre>
 *   client ──start──▶ BareExchange ──6 calls──▶ stub services
 *          ◀─answer──              ◀─6 answers──
 * </pre>
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.bare;
