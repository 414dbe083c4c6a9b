package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Code that carries a state along: {@code reduce} and {@code foreach}. */
final class FoldCode {
  private FoldCode() {}

  /** State of a fold: a value and, where requested, its path. */
  private static final class State {
    JsonNode value;
    @Nullable Path path;
    boolean emitted;

    /** Whether only this state holds the value. */
    boolean owned;

    State(JsonNode value, @Nullable Path path) {
      this.value = value;
      this.path = path;
    }

    boolean set(JsonNode newValue, @Nullable Path newPath) {
      value = newValue;
      path = newPath;
      emitted = true;
      return true;
    }
  }

  /** {@code reduce source as pattern (init; update)}; no output of update makes the state null. */
  static final class Reduce extends Code {
    private final Code source;
    private final PatternCode.Binding binding;
    private final Code init;
    private final Code update;
    private final @Nullable AccumulatorCode accumulator;

    Reduce(Code source, PatternCode.Binding binding, Code init, Code update) {
      super(init.single, 10 + init.height + source.height + binding.height() + update.height);
      this.source = source;
      this.binding = binding;
      this.init = init;
      this.update = update;
      this.accumulator = AccumulatorCode.of(update);
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      State state = new State(init.one(in, env, run), null);
      fold(state, in, env, run);
      return state.value;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return init.each(
          in,
          path,
          env,
          run,
          (value, at) -> {
            State state = new State(value, at);
            fold(state, in, env, run);
            return out.emit(state.value, state.path);
          });
    }

    private void fold(State state, JsonNode in, @Nullable Env env, Run run) {
      Sink sink = state::set;
      PatternCode.Body body =
          (bound, out) -> {
            step(state, bound, run, out);
            return true;
          };
      source.each(in, null, env, run, (item, none) -> binding.bind(item, in, env, run, sink, body));
    }

    private void step(State state, @Nullable Env bound, Run run, Sink out) {
      run.step();
      JsonNode value = state.value;
      Path path = state.path;
      if (accumulator != null && path == null) {
        state.value = accumulator.next(value, state.owned, bound, run);
        state.owned = true;
        return;
      }
      if (update.single && path == null) {
        state.value = update.one(value, bound, run);
        return;
      }
      state.emitted = false;
      update.each(value, path, bound, run, out);
      if (!state.emitted) {
        state.set(Json.NULL, Path.lost(path));
      }
    }
  }

  /** {@code foreach source as pattern (init; update; extract)} */
  static final class Foreach extends Code {
    private final Code source;
    private final PatternCode.Binding binding;
    private final Code init;
    private final Code update;
    private final @Nullable Code extract;

    Foreach(
        Code source, PatternCode.Binding binding, Code init, Code update, @Nullable Code extract) {
      super(
          false,
          12
              + init.height
              + source.height
              + binding.height()
              + update.height
              + (extract == null ? 0 : extract.height));
      this.source = source;
      this.binding = binding;
      this.init = init;
      this.update = update;
      this.extract = extract;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return init.each(
          in,
          path,
          env,
          run,
          (value, at) -> {
            State state = new State(value, at);
            return source.each(
                in,
                null,
                env,
                run,
                (item, none) ->
                    binding.bind(
                        item, in, env, run, out, (bound, sink) -> step(state, bound, run, sink)));
          });
    }

    private boolean step(State state, @Nullable Env bound, Run run, Sink out) {
      run.step();
      return update.each(
          state.value,
          state.path,
          bound,
          run,
          (value, path) -> {
            state.set(value, path);
            return extract == null
                ? out.emit(value, path)
                : extract.each(value, path, bound, run, out);
          });
    }
  }
}
