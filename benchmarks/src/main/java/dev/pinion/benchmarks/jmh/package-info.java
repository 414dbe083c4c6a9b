/** JMH benchmarks of single parts: no network, no processes. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.jmh;
