/** Open Workflow DSL: reader with source positions and compiler to the process graph. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.frontend.swf;
