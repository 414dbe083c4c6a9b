package dev.pinion.benchmarks.experiments;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * An option of an experiment: its name, type, defaults, range and help. Declared once and not
 * changed afterwards; a run knows its value.
 *
 * @param <T> type of its value
 */
public final class ExperimentOption<T> {
  private final String name;
  private final Class<?> element;
  private final boolean list;
  private final @Nullable T usual;
  private @Nullable T quick;
  private String label;
  private String help = "";
  private Consumer<T> check = value -> {};

  private ExperimentOption(String name, Class<?> element, boolean list, @Nullable T usual) {
    this.name = name;
    this.element = element;
    this.list = list;
    this.usual = usual;
    this.quick = usual;
    this.label = name.startsWith("--") ? "<" + name.substring(2) + ">" : name;
  }

  /**
   * One value.
   *
   * @param usual its default, whose class is that of all values
   */
  public static <T> ExperimentOption<T> of(String name, T usual) {
    return new ExperimentOption<>(name, usual.getClass(), false, usual);
  }

  /** A whole number without a default. */
  public static ExperimentOption<Integer> number(String name) {
    return new ExperimentOption<>(name, Integer.class, false, null);
  }

  /** Whole numbers, separated by commas; no default where none are given. */
  public static ExperimentOption<List<Integer>> numbers(String name, int... usual) {
    return list(name, Integer.class, IntStream.of(usual).boxed().toList());
  }

  /** Fractions, separated by commas. */
  public static ExperimentOption<List<Double>> fractions(String name, double... usual) {
    return list(name, Double.class, DoubleStream.of(usual).boxed().toList());
  }

  /** Words, separated by commas. */
  public static ExperimentOption<List<String>> words(String name, String... usual) {
    return list(name, String.class, List.of(usual));
  }

  /** A switch, off by default. */
  public static ExperimentOption<Boolean> toggle(String name) {
    return new ExperimentOption<>(name, boolean.class, false, false);
  }

  /** A word that must be given, without a name before it. */
  public static ExperimentOption<String> parameter(String label) {
    return new ExperimentOption<>(label, String.class, false, null);
  }

  private static <E> ExperimentOption<List<E>> list(String name, Class<E> element, List<E> usual) {
    return new ExperimentOption<>(name, element, true, usual.isEmpty() ? null : usual);
  }

  /** Its default with {@code --quick}. */
  public ExperimentOption<T> quick(T value) {
    quick = value;
    return this;
  }

  /** Name of its value in help, where that is not its own. */
  public ExperimentOption<T> label(String text) {
    label = text;
    return this;
  }

  /** Its help; the defaults follow it. */
  public ExperimentOption<T> help(String text) {
    String onlyQuick = String.valueOf(quick).equals(String.valueOf(usual)) ? "" : text(quick);
    String also = onlyQuick.isEmpty() ? "" : "; --quick " + onlyQuick;
    return says(text + " (" + text(usual) + also + ").");
  }

  /** Its whole help. */
  public ExperimentOption<T> says(String text) {
    help = text;
    return this;
  }

  /** Checks each value, which may refuse it with a sentence for people. */
  public ExperimentOption<T> checked(Consumer<T> values) {
    check = values;
    return this;
  }

  /** Limits a whole number, or each of several. */
  public ExperimentOption<T> from(int least, int most) {
    return checked(
        value -> each(value).forEach(n -> TestbedOptions.requireRange(name, n, least, most)));
  }

  private static List<Integer> each(Object value) {
    List<?> all = value instanceof List<?> several ? several : List.of(value);
    return all.stream().map(Integer.class::cast).toList();
  }

  /**
   * Checks a value.
   *
   * @throws IllegalArgumentException with a sentence for people when it is refused
   */
  void require(T value) {
    check.accept(value);
  }

  String name() {
    return name;
  }

  /** The default of a run, null for none. */
  @Nullable T byDefault(boolean isQuick) {
    return isQuick ? quick : usual;
  }

  /** The argument of the command line; without a value where it is not given. */
  ArgSpec argument() {
    if (!name.startsWith("--")) {
      return PositionalParamSpec.builder()
          .index("0")
          .required(true)
          .description(help)
          .type(element)
          .paramLabel(label)
          .initialValue(null)
          .build();
    }
    OptionSpec.Builder option = OptionSpec.builder(name).description(help).initialValue(null);
    if (element == boolean.class) {
      return option.type(element).arity("0").build();
    }
    option.paramLabel(label);
    return list
        ? option.type(List.class).auxiliaryTypes(element).splitRegex(",").build()
        : option.type(element).build();
  }

  private static String text(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(ExperimentOption::text).collect(Collectors.joining(","));
    }
    return String.valueOf(value).replaceFirst("\\.0$", "");
  }
}
