/**
 * The testbed of whole processes: stub and load on some CPUs, the measured processes on others.
 *
 * <pre>
 *   load CPUs                                engine CPUs
 *   ┌───────────────────────────┐            ┌──────────────────────────┐
 *   │ load generator ──start────┼───────────▶│ engine (fused, pipelined)│
 *   │ stub services ◀───────────┼──6 calls───┤ or bare exchange, or echo│
 *   └───────────────────────────┘            └──────────────────────────┘
 * </pre>
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.bench;
