/** Tests of {@code bootstrap.cli.journal}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.journal;
