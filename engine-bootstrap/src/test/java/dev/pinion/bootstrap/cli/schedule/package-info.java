/** Tests of {@code bootstrap.cli.schedule}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.schedule;
