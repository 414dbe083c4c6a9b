/** Commands on instances. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.instance;
