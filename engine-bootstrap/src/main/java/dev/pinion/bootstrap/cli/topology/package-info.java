/** The topology command: machine and placement plan as text, SVG and JSON. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.topology;
