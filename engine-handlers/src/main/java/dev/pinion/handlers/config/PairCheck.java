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
final class PairCheck {
  private static final String OUTSIDE = "outside";

  private final List<HandlerUse> uses = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();

  /** Adds the use of a handler. */
  void add(String chain, @Nullable Attachment at, Step step, Settings settings) {
    uses.add(new HandlerUse(chain, at, step, settings, uses.size()));
  }

  /** Checks all uses; problems go to their settings. */
  void check() {
    for (HandlerUse handlerUse : uses) {
      String named = handlerUse.settings.text("peer", "");
      if (handlerUse.peer() == null) {
        if (!named.isEmpty()) {
          handlerUse.settings.problem(
              "peer", "expected a peer of handlers that have one only, found " + named);
        }
      } else if (named.isEmpty()) {
        if (uses.stream().noneMatch(other -> names(other, handlerUse))) {
          handlerUse.settings.problem(
              null,
              "expected peer: outside or the name of the handler that is its peer, for "
                  + handlerUse.step
                  + " is one of the pair "
                  + handlerUse.peer().pair()
                  + "; found none");
        }
      } else if (!named.equals(OUTSIDE)) {
        pair(handlerUse, named);
      }
    }
    crossings();
  }

  private static boolean names(HandlerUse other, HandlerUse handlerUse) {
    String named = other.settings.text("peer", "");
    return named.equals(handlerUse.chain + "/" + handlerUse.step)
        || (other.chain.equals(handlerUse.chain) && named.equals(handlerUse.step.name()));
  }

  private void pair(HandlerUse handlerUse, String named) {
    HandlerUse other =
        uses.stream().filter(each -> names(handlerUse, each)).findFirst().orElse(null);
    Peer own = Objects.requireNonNull(handlerUse.peer());
    Peer others = other == null ? null : other.peer();
    if (other == null || others == null) {
      handlerUse.settings.problem(
          "peer",
          "expected outside, the name of a handler of this chain or CHAIN/HANDLER, found \""
              + named
              + "\", which is "
              + (other == null ? "none" : "none that has a peer"));
      return;
    }
    if (!own.pair().equals(others.pair()) || own.role() == others.role()) {
      handlerUse.settings.problem(
          "peer",
          "expected the other one of the pair "
              + own.pair()
              + ", found "
              + other.step
              + " of "
              + others);
      return;
    }
    HandlerUse does = own.role() == Peer.Role.DOES ? handlerUse : other;
    HandlerUse takesBack = own.role() == Peer.Role.DOES ? other : handlerUse;
    if (!does.isBefore(takesBack)) {
      handlerUse.settings.problem(
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

  private record HandlerUse(
      String chain, @Nullable Attachment at, Step step, Settings settings, int number) {
    @Nullable Peer peer() {
      return step.declaration().peer();
    }

    /** Whether a message comes here first. Within a chain that is the order of its handlers. */
    boolean isBefore(HandlerUse other) {
      if (chain.equals(other.chain)) {
        return number < other.number;
      }
      return at != null && other.at != null && at.point().compareTo(other.at.point()) < 0;
    }
  }

  private record Pair(HandlerUse does, HandlerUse takesBack) {}
}
