/** External events: what is taken, kept and applied. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.external;
