/** Rules about the code of all modules of the engine. */
@org.jspecify.annotations.NullMarked
package dev.pinion.architecture;
