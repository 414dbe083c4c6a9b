package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** Code that carries a state along: {@code reduce} and {@code foreach}. */
public final class FoldCode {
  private FoldCode() {}

  /** State of a fold: a value and, where requested, its path. */
  private static final class State {
    JsonNode value;
    @Nullable ValuePath valuePath;
    boolean emitted;

    /** Whether only this state holds the value. */
    boolean owned;

    State(JsonNode value, @Nullable ValuePath valuePath) {
      this.value = value;
      this.valuePath = valuePath;
    }

    boolean set(JsonNode newValue, @Nullable ValuePath newPath) {
      value = newValue;
      valuePath = newPath;
      emitted = true;
      return true;
    }
  }

  /** {@code reduce source as pattern (init; update)}; no output of update makes the state null. */
  public static final class Reduce extends Code {
    private final Code source;
    private final DestructuringCode.PatternBinding patternBinding;
    private final Code init;
    private final Code update;
    private final @Nullable AccumulatorCode accumulator;

    public Reduce(
        Code source, DestructuringCode.PatternBinding patternBinding, Code init, Code update) {
      super(
          init.single,
          init.atMostOne,
          10 + init.height + source.height + patternBinding.height() + update.height);
      this.source = source;
      this.patternBinding = patternBinding;
      this.init = init;
      this.update = update;
      this.accumulator = AccumulatorCode.of(update);
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      State state = new State(init.one(in, env, evaluationContext), null);
      fold(state, in, env, evaluationContext);
      return state.value;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      return init.each(
          in,
          valuePath,
          env,
          evaluationContext,
          (value, at) -> {
            State state = new State(value, at);
            fold(state, in, env, evaluationContext);
            return out.emit(state.value, state.valuePath);
          });
    }

    private void fold(
        State state, JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      OutputSink outputSink = state::set;
      DestructuringCode.PatternBody patternBody =
          (bound, out) -> {
            step(state, bound, evaluationContext, out);
            return true;
          };
      source.each(
          in,
          null,
          env,
          evaluationContext,
          (item, none) ->
              patternBinding.bind(item, in, env, evaluationContext, outputSink, patternBody));
    }

    private void step(
        State state, @Nullable Env bound, EvaluationContext evaluationContext, OutputSink out) {
      evaluationContext.step();
      JsonNode value = state.value;
      ValuePath valuePath = state.valuePath;
      if (accumulator != null && valuePath == null) {
        state.value = accumulator.next(value, state.owned, bound, evaluationContext);
        state.owned = true;
        return;
      }
      if (update.single && valuePath == null) {
        state.value = update.one(value, bound, evaluationContext);
        return;
      }
      state.emitted = false;
      update.each(value, valuePath, bound, evaluationContext, out);
      if (!state.emitted) {
        state.set(JqValues.NULL, ValuePath.detached(valuePath));
      }
    }
  }

  /** {@code foreach source as pattern (init; update; extract)} */
  public static final class Foreach extends Code {
    private final Code source;
    private final DestructuringCode.PatternBinding patternBinding;
    private final Code init;
    private final Code update;
    private final @Nullable Code extract;

    public Foreach(
        Code source,
        DestructuringCode.PatternBinding patternBinding,
        Code init,
        Code update,
        @Nullable Code extract) {
      super(
          false,
          12
              + init.height
              + source.height
              + patternBinding.height()
              + update.height
              + (extract == null ? 0 : extract.height));
      this.source = source;
      this.patternBinding = patternBinding;
      this.init = init;
      this.update = update;
      this.extract = extract;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      return init.each(
          in,
          valuePath,
          env,
          evaluationContext,
          (value, at) -> {
            State state = new State(value, at);
            return source.each(
                in,
                null,
                env,
                evaluationContext,
                (item, none) ->
                    patternBinding.bind(
                        item,
                        in,
                        env,
                        evaluationContext,
                        out,
                        (bound, outputSink) -> step(state, bound, evaluationContext, outputSink)));
          });
    }

    private boolean step(
        State state, @Nullable Env bound, EvaluationContext evaluationContext, OutputSink out) {
      evaluationContext.step();
      return update.each(
          state.value,
          state.valuePath,
          bound,
          evaluationContext,
          (value, valuePath) -> {
            state.set(value, valuePath);
            return extract == null
                ? out.emit(value, valuePath)
                : extract.each(value, valuePath, bound, evaluationContext, out);
          });
    }
  }
}
