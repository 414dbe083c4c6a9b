/** What every drawing of this module has in common. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.svg;
