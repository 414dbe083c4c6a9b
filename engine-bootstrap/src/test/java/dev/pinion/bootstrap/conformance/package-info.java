/** Tests of the conformance runner, the own suite and the kit of the specification. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.conformance;
