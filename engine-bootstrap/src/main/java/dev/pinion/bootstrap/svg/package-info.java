/** Common parts of all drawings of this module. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.svg;
