package dev.pinion.handlers.config;

import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.plan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks that every handler that needs a peer has one: another handler of the same document that
 * reverses its work, later on the way of a message, or the party at the other end.
 */
final class PeerCheck {
  private static final String OUTSIDE = "outside";

  private final List<Use> uses = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();

  /** Adds the use of a handler. */
  void add(String chain, @Nullable Attachment at, Step step, Settings settings) {
    uses.add(new Use(chain, at, step, settings, uses.size()));
  }

  /** Checks all uses; problems go to their settings. */
  void check() {
    for (Use use : uses) {
      String named = use.settings.text("peer", "");
      if (use.peer() == null) {
        if (!named.isEmpty()) {
          use.settings.problem(
              "peer", "expected a peer of handlers that have one only, found " + named);
        }
      } else if (named.isEmpty()) {
        if (uses.stream().noneMatch(other -> names(other, use))) {
          use.settings.problem(
              null,
              "expected peer: outside or the name of the handler that is its peer, for "
                  + use.step
                  + " is one of the pair "
                  + use.peer().pair()
                  + "; found none");
        }
      } else if (!named.equals(OUTSIDE)) {
        pair(use, named);
      }
    }
    crossings();
  }

  private static boolean names(Use other, Use use) {
    String named = other.settings.text("peer", "");
    return named.equals(use.chain + "/" + use.step)
        || (other.chain.equals(use.chain) && named.equals(use.step.name()));
  }

  private void pair(Use use, String named) {
    Use other = uses.stream().filter(each -> names(use, each)).findFirst().orElse(null);
    Peer own = Objects.requireNonNull(use.peer());
    Peer others = other == null ? null : other.peer();
    if (other == null || others == null) {
      use.settings.problem(
          "peer",
          "expected outside, the name of a handler of this chain or CHAIN/HANDLER, found \""
              + named
              + "\", which is "
              + (other == null ? "none" : "none that has a peer"));
      return;
    }
    if (!own.pair().equals(others.pair()) || own.role() == others.role()) {
      use.settings.problem(
          "peer",
          "expected the other one of the pair "
              + own.pair()
              + ", found "
              + other.step
              + " of "
              + others);
      return;
    }
    Use does = own.role() == Peer.Role.DOES ? use : other;
    Use takesBack = own.role() == Peer.Role.DOES ? other : use;
    if (!does.isBefore(takesBack)) {
      use.settings.problem(
          "peer",
          "expected "
              + does.step
              + " before "
              + takesBack.step
              + ", which reverses it;"
              + " found it after that or at no point (at)");
      return;
    }
    Pair pair = new Pair(does, takesBack);
    if (!pairs.contains(pair)) {
      pairs.add(pair);
    }
  }

  /** Checks that pairs do not cross: the last work is reversed first. */
  private void crossings() {
    for (Pair one : pairs) {
      for (Pair other : pairs) {
        if (one.does.isBefore(other.does)
            && other.does.isBefore(one.takesBack)
            && one.takesBack.isBefore(other.takesBack)) {
          one.takesBack.settings.problem(
              null,
              "expected that "
                  + other.takesBack.step
                  + " comes before "
                  + one.takesBack.step
                  + ", because "
                  + other.does.step
                  + " came after "
                  + one.does.step
                  + "; found it after that");
        }
      }
    }
  }

  private record Use(
      String chain, @Nullable Attachment at, Step step, Settings settings, int number) {
    @Nullable Peer peer() {
      return step.declaration().peer();
    }

    /** Whether a message comes here first. Within a chain that is the order of its handlers. */
    boolean isBefore(Use other) {
      if (chain.equals(other.chain)) {
        return number < other.number;
      }
      return at != null && other.at != null && at.point().compareTo(other.at.point()) < 0;
    }
  }

  private record Pair(Use does, Use takesBack) {}
}
