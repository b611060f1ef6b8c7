// SPDX-License-Identifier: MIT
// The guided tour's turns: each step sets the state, is checked in every frame, and at the end
// everything is as it was before.
#include <algorithm>

#include "app/application.h"
#include "app/panels/pointers.h"

namespace warpscope {

void Application::become(const State& wanted) {
    motion_.stop();
    for (const Command& command :
         commands_towards(wanted, state_, std::max(surface_.framebuffer_size().height, 1))) {
        apply_command(command);
    }
}

void Application::begin_tour(std::size_t step) {
    TourUi& tour = ui_.tour;
    if (tour.steps.empty()) tour.steps = load_tour(tour_vocabulary());
    if (!tour.progress) tour.progress.emplace(tour.steps.size());
    if (!tour.running) {
        before_tour_.emplace(BeforeTour{state_, replaced_backend_, history_, panels_of(ui_)});
    }
    tour.running = true;
    enter_tour_step(std::min(step, tour.progress->steps() - 1));
}

void Application::enter_tour_step(std::size_t step) {
    TourUi& tour = ui_.tour;
    (*this)(StopWork{});
    tour.progress->go(step);
    tour.gpu = cuda_.problem.empty();
    State wanted = state_;
    set_up(tour.form().state, tour.gpu, wanted, ui_);
    become(wanted);
    point_at(ui_, *find_control(tour.form().control));
}

void Application::end_tour(TourTurn turn) {
    TourUi& tour = ui_.tour;
    if (!tour.running) return;
    tour.running = false;
    tour.pointed.reset();
    if (turn == TourTurn::kKeep) return;
    (*this)(StopWork{});
    become(after_tour(state_, before_tour_->state));
    replaced_backend_ = before_tour_->replaced_backend;
    history_ = before_tour_->history;
    bring_back(ui_, before_tour_->panels);
}

void Application::operator()(const TurnTour& request) {
    TourUi& tour = ui_.tour;
    if (request.turn == TourTurn::kStart) {
        return begin_tour(tour.progress ? tour.progress->current() : 0);
    }
    if (!tour.running) return;
    const std::size_t now = tour.progress->current();
    const bool last = now + 1 == tour.progress->steps();
    switch (request.turn) {
        case TourTurn::kBack:
            if (now > 0) enter_tour_step(now - 1);
            break;
        case TourTurn::kNext:
            if (!last) return enter_tour_step(now + 1);
            end_tour(TourTurn::kLeave);
            tour.progress.reset();  // the next one begins at its beginning
            break;
        case TourTurn::kShow:
            point_at(ui_, *find_control(tour.form().control));
            break;
        default:
            end_tour(request.turn);
            break;
    }
}

void Application::follow_tour() {
    TourUi& tour = ui_.tour;
    if (!tour.running) return;
    const std::size_t now = tour.progress->current();
    if (tour.ring) tour.shown.insert(tour.steps[now].id);
    tour.progress->observe(hold(tour.form().wanted,
                                tour_facts({state_, ui_, workshop_, running_backend() == "cuda"})));
    if (tour.progress->done(now)) tour.pointed.reset();
}

nlohmann::json Application::tour_json() const {
    const TourUi& tour = ui_.tour;
    if (!tour.running) return nullptr;
    nlohmann::json json{{"step", tour.steps[tour.progress->current()].id},
                        {"gpu", tour.gpu},
                        {"shown", tour.shown},
                        {"done", nlohmann::json::array()}};
    for (std::size_t i = 0; i < tour.steps.size(); ++i) {
        if (tour.progress->done(i)) json["done"].push_back(tour.steps[i].id);
    }
    return json;
}

}  // namespace warpscope
