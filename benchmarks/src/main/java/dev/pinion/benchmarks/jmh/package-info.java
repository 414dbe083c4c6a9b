/** JMH benchmarks of single components: no network, no processes. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.jmh;
