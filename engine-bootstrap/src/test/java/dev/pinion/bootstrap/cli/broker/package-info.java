/** Tests of {@code bootstrap.cli.broker}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.broker;
