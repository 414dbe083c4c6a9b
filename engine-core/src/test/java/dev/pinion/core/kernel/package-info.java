/** Tests of the kernel, on kernels driven by hand. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel;
