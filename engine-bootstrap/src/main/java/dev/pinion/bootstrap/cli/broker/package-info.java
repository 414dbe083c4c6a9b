/** Commands of the broker. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.broker;
