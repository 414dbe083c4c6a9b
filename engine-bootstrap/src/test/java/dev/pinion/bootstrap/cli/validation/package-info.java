/** Tests of {@code bootstrap.cli.validation}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.validation;
