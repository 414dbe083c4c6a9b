/**
 * What processes mean, told a second time: random definitions as plain data, and an interpreter of
 * them that knows nothing of the engine. It imports the JDK and Jackson only.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.oracle;
