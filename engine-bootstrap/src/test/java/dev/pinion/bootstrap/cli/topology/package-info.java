/** Tests of {@code bootstrap.cli.topology}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.topology;
