/** Commands on handlers, and the handler host. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.handlers;
