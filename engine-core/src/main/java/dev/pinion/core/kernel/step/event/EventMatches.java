package dev.pinion.core.kernel.step.event;

import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.graph.Node;
import dev.pinion.core.model.Payload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Events that a schedule has received: matches that lack some, and complete ones that wait for
 * their run, both oldest first. Only its kernel changes it.
 */
public final class EventMatches {
  /** Stands for any filter. */
  public static final int ANY = -1;

  private static final String OPEN = "open";
  private static final String WAITING = "waiting";

  /** Whether all filters have the same correlations, so that matches are found by their values. */
  private final boolean keyed;

  private final SequencedSet<EventMatch> open = new LinkedHashSet<>();

  /** Those by their values, or all under one key; oldest first. */
  private final Map<String, Deque<EventMatch>> byValues = new HashMap<>();

  private final Deque<EventMatch> waiting = new ArrayDeque<>();
  private int openEvents;
  private long openBytes;
  private int waitingEvents;
  private long waitingBytes;

  /** None, for what a schedule listens to. */
  EventMatches(Node.Listen listen) {
    this.keyed = listen.filters().stream().map(EventMatches::names).distinct().count() == 1;
  }

  private static Set<String> names(EventFilter filter) {
    Set<String> names = new TreeSet<>();
    filter.correlations().forEach(each -> names.add(each.name()));
    return names;
  }

  private String key(SortedMap<String, String> values) {
    return keyed && !values.isEmpty() ? EventKeys.joined(List.copyOf(values.values())) : "";
  }

  private Collection<EventMatch> like(SortedMap<String, String> values) {
    Collection<EventMatch> found = byValues.get(key(values));
    return found == null ? List.of() : found;
  }

  /**
   * The oldest match whose values do not differ from those of an event; null when there is none.
   *
   * @param lacking a filter that has not had its event, or {@link #ANY}
   */
  public @Nullable EventMatch find(SortedMap<String, String> values, int lacking) {
    for (EventMatch match : like(values)) {
      if ((lacking == ANY || !match.has(lacking)) && match.agrees(values)) {
        return match;
      }
    }
    return null;
  }

  /** The matches that lack events, and whose values do not differ from some values. */
  public List<EventMatch> agreeing(SortedMap<String, String> values) {
    return like(values).stream().filter(match -> match.agrees(values)).toList();
  }

  /** Begins a match that has the values of an event. */
  public EventMatch begin(SortedMap<String, String> values) {
    EventMatch match = new EventMatch();
    match.correlate(values);
    open(match);
    return match;
  }

  private void open(EventMatch match) {
    open.add(match);
    byValues.computeIfAbsent(key(match.values()), _ -> new ArrayDeque<>(1)).add(match);
    openEvents += match.events().size();
    openBytes += match.bytes();
  }

  /** Fixes values of a match that lacks events. */
  public void correlate(EventMatch match, Map<String, String> values) {
    openBytes -= match.bytes();
    match.correlate(values);
    openBytes += match.bytes();
  }

  /** Adds an event to a match that lacks events. */
  public void add(EventMatch match, Payload event) {
    openBytes -= match.bytes();
    match.add(event);
    openBytes += match.bytes();
    openEvents++;
  }

  /** Takes out a match that lacked events. */
  public void close(EventMatch match) {
    if (!open.remove(match)) {
      return;
    }
    String key = key(match.values());
    Deque<EventMatch> like = byValues.get(key);
    if (like != null && like.remove(match) && like.isEmpty()) {
      byValues.remove(key);
    }
    openEvents -= match.events().size();
    openBytes -= match.bytes();
  }

  /** The oldest match that lacks events; null when there is none. */
  public @Nullable EventMatch oldest() {
    return open.isEmpty() ? null : open.getFirst();
  }

  /** Lets a complete match wait for its run. */
  public void await(EventMatch match) {
    waiting.add(match);
    waitingEvents += match.events().size();
    waitingBytes += match.bytes();
  }

  /** The match whose run is next, or under way; null when none waits. */
  public @Nullable EventMatch first() {
    return waiting.peek();
  }

  /** Removes and returns that match. */
  public @Nullable EventMatch poll() {
    EventMatch match = waiting.poll();
    if (match != null) {
      waitingEvents -= match.events().size();
      waitingBytes -= match.bytes();
    }
    return match;
  }

  /** Whether a complete match may wait: one always may. */
  public boolean hasRoom(EventMatch match, int maxEvents, long maxBytes) {
    return waiting.isEmpty()
        || (waitingEvents + match.events().size() <= maxEvents
            && waitingBytes + match.bytes() <= maxBytes);
  }

  /** Whether more matches lack events than bounds allow. */
  public boolean isBeyond(int maxEvents, long maxBytes) {
    return openEvents > maxEvents || openBytes > maxBytes;
  }

  /** Approximate bytes of all this as JSON. */
  public long bytes() {
    return openBytes + waitingBytes;
  }

  /** Number of matches that lack events. */
  public int lacking() {
    return open.size();
  }

  /** Visits all events. */
  public void forEachEvent(Consumer<Payload> look) {
    Stream.concat(open.stream(), waiting.stream()).forEach(match -> match.events().forEach(look));
  }

  /** Replaces all events. */
  public void replace(UnaryOperator<Payload> each) {
    open.forEach(match -> match.replace(each));
    waiting.forEach(match -> match.replace(each));
  }

  /** The value of which {@link #of} makes it again. */
  public Payload toPayload() {
    return toPayload(true, 0);
  }

  /**
   * The same without some of it.
   *
   * @param withOpen whether matches that lack events are part of it
   * @param begun matches whose run has begun, which are not
   */
  public Payload toPayload(boolean withOpen, int begun) {
    Stream<EventMatch> lacking = withOpen ? open.stream() : Stream.empty();
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put(OPEN, array(lacking));
    members.put(WAITING, array(waiting.stream().skip(begun)));
    return Payload.object(members);
  }

  private static Payload array(Stream<EventMatch> matches) {
    return Payload.array(matches.map(EventMatch::toPayload).toList());
  }

  /** The matches of which {@link #toPayload()} made a value. */
  public static EventMatches of(Node.Listen listen, Payload value) {
    EventMatches matches = new EventMatches(listen);
    read(value.member(OPEN)).forEach(matches::open);
    read(value.member(WAITING)).forEach(matches::await);
    return matches;
  }

  private static List<EventMatch> read(@Nullable Payload array) {
    List<EventMatch> read = new ArrayList<>();
    if (array != null) {
      array.items().forEach(each -> read.add(EventMatch.of(each)));
    }
    return read;
  }
}
