/** Tests of {@code bootstrap.cli}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli;
