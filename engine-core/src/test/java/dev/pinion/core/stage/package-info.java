/** Tests of lanes. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.stage;
