package dev.pinion.core.kernel.step;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.kernel.step.ListenState.ListenMode;
import dev.pinion.core.kernel.step.codec.ValueReader;
import dev.pinion.core.kernel.step.codec.ValueWriter;
import dev.pinion.core.kernel.step.event.ConsumedPositions;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Codec of what the tasks of an instance listen to: an optional part behind the others of its
 * state. Instances that never listened lack it.
 */
final class ListenStateCodec {
  /** Number of this part among the optional ones. */
  static final int PART = 1;

  private final ValueWriter values;
  private final ByteWriter out;

  private ListenStateCodec(ValueWriter values) {
    this.values = values;
    this.out = values.out;
  }

  /** Writes the part, if the instance has one. */
  static void write(Instance instance, ValueWriter values) {
    List<Activity> listening = new ArrayList<>();
    instance.forEachActivity(
        each -> {
          if (each.listening != null) {
            listening.add(each);
          }
        });
    if (!listening.isEmpty() || instance.hasConsumed()) {
      new ListenStateCodec(values).write(instance, listening);
    }
  }

  private void write(Instance instance, List<Activity> listening) {
    out.putCount(PART);
    instance.consumedPositions().write(out);
    out.putCount(listening.size());
    for (Activity activity : listening) {
      ListenState state = activity.listening;
      if (state != null) {
        out.putCount(activity.slot);
        write(state);
      }
    }
  }

  private void write(ListenState state) {
    out.putCount(state.number);
    out.putCount(state.filters());
    for (int filter = 0; filter < state.filters(); filter++) {
      out.putText(state.key(filter));
      out.putFlag(state.isDone(filter));
    }
    state.positions.write(out);
    values.put(state.mode);
    out.putFlag(state.closed);
    out.putFlag(state.scheduled);
    out.putNumber(state.weight);
    values.putOptional(state.problem);
    values.putOptional(state.item);
    values.putOptional(state.itemOutput);
    Map<String, String> correlated = state.correlated();
    out.putCount(correlated.size());
    correlated.forEach(
        (name, value) -> {
          out.putText(name);
          out.putText(value);
        });
    values.put(state.outputs());
    values.put(state.queued());
  }

  /** Reads what {@link #write} wrote behind its number. */
  static void read(Instance instance, ValueReader values) {
    ByteReader in = values.in;
    ConsumedPositions consumed = ConsumedPositions.read(in);
    if (!consumed.isEmpty()) { // else the part is there because it listens
      instance.restoreConsumed(consumed);
    }
    for (int left = in.getSize(); left > 0; left--) {
      int slot = in.getCount();
      Activity activity = instance.activity(slot);
      if (activity == null) {
        throw new IllegalArgumentException("expected an activity in slot " + slot + ", found none");
      }
      activity.listening = state(values, in);
    }
  }

  private static ListenState state(ValueReader values, ByteReader in) {
    int number = in.getCount();
    @Nullable String[] keys = new String[in.getSize()];
    List<Integer> done = new ArrayList<>();
    for (int filter = 0; filter < keys.length; filter++) {
      keys[filter] = in.getText();
      if (in.getFlag()) {
        done.add(filter);
      }
    }
    ListenState state = new ListenState(number, keys, ConsumedPositions.read(in));
    done.forEach(state::done);
    state.mode = values.constant(ListenMode.class);
    state.closed = in.getFlag();
    state.scheduled = in.getFlag();
    state.weight = in.getNumber();
    state.problem = values.optionalError();
    state.item = values.optionalPayload();
    state.itemOutput = values.optionalPayload();
    for (int left = in.getSize(); left > 0; left--) {
      state.correlate(in.getPresentText(), in.getPresentText());
    }
    for (Payload output : values.payloads()) {
      state.addOutput(output);
    }
    for (Payload event : values.payloads()) {
      state.enqueue(event);
    }
    return state;
  }
}
