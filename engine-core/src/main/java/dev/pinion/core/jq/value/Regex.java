package dev.pinion.core.jq.value;

import com.google.re2j.Pattern;
import java.util.List;

/**
 * A compiled regular expression with its flags.
 *
 * @param pattern the automaton
 * @param names names of the groups from 1, empty for none
 * @param global whether all matches are wanted
 * @param skipEmpty whether empty matches are left out
 * @param cost instructions of the automaton
 */
public record Regex(
    Pattern pattern, List<String> names, boolean global, boolean skipEmpty, int cost) {}
