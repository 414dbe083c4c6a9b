/** Tests of the command that runs conformance scenarios. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.conformance;
