/** Cost of an engine's first calls, measured from outside: lazy initialisation made visible. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.firstcall;
