/**
 * The yardstick: one Netty event loop that exchanges the same HTTP messages as the engine, without
 * an engine in between; and an echo server, whose throughput bounds that of both.
 *
 * <pre>
 *   client ──start──▶ BareExchange ──6 calls──▶ stub services
 *          ◀─answer──              ◀─6 answers──
 * </pre>
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.bare;
