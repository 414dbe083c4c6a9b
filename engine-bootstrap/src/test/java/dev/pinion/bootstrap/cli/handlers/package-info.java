/** Tests of {@code bootstrap.cli.handlers}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.handlers;
