package dev.pinion.core.expr;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles the right side of {@code as}. */
final class PatternGenerator {
  private final CodeGenerator generator;

  PatternGenerator(CodeGenerator generator) {
    this.generator = generator;
  }

  /** A compiled pattern and the names visible behind it. */
  record Bound(PatternCode.Binding binding, Names names) {}

  private record Compiled(PatternCode.Binder binder, Names names) {}

  Bound bind(List<Syntax.Pattern> patterns, Names names) {
    if (patterns.size() == 1) {
      Compiled only = compile(patterns.getFirst(), names);
      return new Bound(new PatternCode.Binding(only.binder, null), only.names);
    }
    Set<String> variables = new LinkedHashSet<>();
    patterns.forEach(pattern -> collect(pattern, variables));
    List<PatternCode.Choice> choices = new ArrayList<>();
    for (Syntax.Pattern pattern : patterns) {
      choices.add(choice(pattern, names, variables));
    }
    Names visible = names;
    for (String variable : variables) {
      visible = visible.withVariable(variable);
    }
    PatternCode.BindFirst first = new PatternCode.BindFirst(choices, variables.size());
    return new Bound(new PatternCode.Binding(null, first), visible);
  }

  private PatternCode.Choice choice(Syntax.Pattern pattern, Names names, Set<String> variables) {
    Compiled compiled = compile(pattern, names);
    Set<String> own = new LinkedHashSet<>();
    collect(pattern, own);
    int[] hops = new int[variables.size()];
    int i = 0;
    for (String variable : variables) {
      Names.Entry entry = own.contains(variable) ? compiled.names.variable(variable) : null;
      hops[i++] = entry == null ? -1 : compiled.names.hops(entry);
    }
    return new PatternCode.Choice(compiled.binder, hops);
  }

  private static void collect(Syntax.@Nullable Pattern pattern, Set<String> variables) {
    switch (pattern) {
      case null -> {}
      case Syntax.Pattern.Name p -> variables.add(p.name());
      case Syntax.Pattern.Items p -> p.items().forEach(item -> collect(item, variables));
      case Syntax.Pattern.Members p -> {
        for (Syntax.Entry entry : p.entries()) {
          if (entry.name() != null) {
            variables.add(entry.name());
          }
          collect(entry.value(), variables);
        }
      }
    }
  }

  private Compiled compile(Syntax.Pattern pattern, Names names) {
    return switch (pattern) {
      case Syntax.Pattern.Name p ->
          new Compiled(PatternCode.BindName.INSTANCE, names.withVariable(p.name()));
      case Syntax.Pattern.Items p -> items(p, names);
      case Syntax.Pattern.Members p -> members(p, names);
    };
  }

  private Compiled items(Syntax.Pattern.Items pattern, Names names) {
    List<PatternCode.Part> parts = new ArrayList<>();
    Names visible = names;
    for (int i = 0; i < pattern.items().size(); i++) {
      Compiled item = compile(pattern.items().get(i), visible);
      Code key = new MakeCode.Constant(Json.number((long) i));
      parts.add(new PatternCode.Part(key, false, item.binder));
      visible = item.names;
    }
    return new Compiled(new PatternCode.BindParts(parts), visible);
  }

  private Compiled members(Syntax.Pattern.Members pattern, Names names) {
    List<PatternCode.Part> parts = new ArrayList<>();
    Names visible = names;
    for (Syntax.Entry entry : pattern.entries()) {
      Code key = generator.key(entry.key(), visible);
      if (entry.name() != null) {
        visible = visible.withVariable(entry.name());
      }
      PatternCode.Binder binder = null;
      if (entry.value() != null) {
        Compiled value = compile(entry.value(), visible);
        binder = value.binder;
        visible = value.names;
      }
      parts.add(new PatternCode.Part(key, entry.name() != null, binder));
    }
    return new Compiled(new PatternCode.BindParts(parts), visible);
  }
}
