// The frictional contacts of a row of the list of laws; for the files that instantiate a row.
#pragma once

#include "asperity/contact/frictional_contact.hpp"

namespace asperity {

/// Every contact law with the default friction, the default contact with every friction law; laws of sampled time are left out.
/// Calls visit.operator()<Law>().
template <class Laws, class S, int D, class Visit>
constexpr void each_frictional_pair(Visit&& visit) {
  Laws::each([&]<class Normal>() {
    if constexpr (Normal::about.kind == Kind::contact && !Normal::about.discrete)
      visit.template operator()<FrictionalContact<Normal, DefaultFriction<S, D>>>();
  });
  Laws::each([&]<class Tangential>() {
    if constexpr (Tangential::about.kind == Kind::friction && !Tangential::about.discrete && Tangential::dimension == D &&
                  !std::is_same_v<Tangential, DefaultFriction<S, D>>)
      visit.template operator()<FrictionalContact<DefaultContact<S>, Tangential>>();
  });
}

/// The names of its two laws.
template <class Contact>
inline constexpr std::string_view normal_name = decltype(Contact::normal)::about.name;
template <class Contact>
inline constexpr std::string_view friction_name = decltype(Contact::tangential)::about.name;

}  // namespace asperity
