/** What the first calls of an engine cost, seen from outside: lazy initialisation made visible. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.firstcall;
