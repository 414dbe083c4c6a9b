/**
 * A second, independent semantics of processes: random definitions as plain data, and an
 * interpreter of them that does not depend on the engine. It imports the JDK and Jackson only.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.oracle;
