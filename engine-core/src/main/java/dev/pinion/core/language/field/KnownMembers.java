package dev.pinion.core.language.field;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members that a value may have, as far as the text of a definition tells.
 *
 * @param names the only names that it may have, or null when it may have any
 */
public record KnownMembers(@Nullable Set<String> names) {
  /** Nothing is known. */
  public static final KnownMembers ANY = new KnownMembers(null);

  /** Most names of one of several values; beyond it nothing is known. */
  static final int MAX_NAMES = 100;

  /** A value without members, or none at all. */
  public static final KnownMembers NONE = new KnownMembers(Set.of());

  /** Certain members and no others. */
  public static KnownMembers of(Collection<String> names) {
    return new KnownMembers(new LinkedHashSet<>(names));
  }

  /** One of two values. */
  public KnownMembers or(KnownMembers other) {
    if (names == null || other.names == null) {
      return ANY;
    }
    if (names.containsAll(other.names)) {
      return this;
    }
    Set<String> both = new LinkedHashSet<>(names);
    both.addAll(other.names);
    return both.size() > MAX_NAMES ? ANY : new KnownMembers(both);
  }

  /** Whether the value may have a member. */
  public boolean mayHave(String name) {
    return names == null || names.contains(name);
  }
}
