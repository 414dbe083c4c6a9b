/** The engine of one replica: language, graph, pipeline and the ports around them. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core;
