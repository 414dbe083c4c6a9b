/** The documents: what they say must be short, linked and true, and their examples must run. */
@NullMarked
package dev.pinion.documents;

import org.jspecify.annotations.NullMarked;
