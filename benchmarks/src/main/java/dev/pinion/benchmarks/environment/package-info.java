/** What machine and software a number belongs to. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.environment;
